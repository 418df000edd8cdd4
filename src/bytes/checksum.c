/*-------------------------------------------------------------------------
 *
 * checksum.c
 *	  The format's checksum, CRC-32C (rowset_format.md, section 1).
 *
 * PostgreSQL's own, which uses the processor's instruction where there is one;
 * outside the server it comes from libpgport.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "port/pg_crc32c.h"

#include "bytes/checksum.h"

uint32
rowser_checksum(const void *bytes, size_t size)
{
	pg_crc32c	crc;

	INIT_CRC32C(crc);
	COMP_CRC32C(crc, bytes, size);
	FIN_CRC32C(crc);
	return crc;
}

bool
rowser_checksum_check(RowserCursor *cursor, const uint8 *from,
					  const char *what)
{
	uint32		actual = rowser_checksum(from, cursor->next - from);
	uint32		stored;

	if (!rowser_cursor_u32(cursor, &stored))
		return false;
	if (stored != actual)
		return rowser_cursor_fail(cursor, ROWSER_FAULT_CHECKSUM, what);
	return true;
}
