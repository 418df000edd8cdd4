/*-------------------------------------------------------------------------
 *
 * source.c
 *	  Where a reader has a rowset's bytes from: memory, or a table's TOAST
 *	  storage piece by piece.
 *
 * A value in TOAST storage is a row of chunks.  The source has room for all of
 * them, untouched at first, and fetches each chunk into its place when a byte
 * of it is needed; so whoever reads sees one piece of memory, and what nobody
 * needs costs address space only.
 *
 * Memory: the context in which the source was opened.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "access/detoast.h"
#include "access/heaptoast.h"
#include "access/table.h"
#include "access/tableam.h"
#include "fmgr.h"
#include "utils/rel.h"

#include "rowset/source.h"

/* Smaller values are fetched as a whole, by one look into the index. */
#define MIN_SLICED_SIZE (64 * 1024)

struct RowserSource
{
	const uint8 *bytes;
	uint64		size;
	uint64	   *fetched;		/* the caller's, or own_fetched */
	uint64		own_fetched;

	/* of a value that is fetched by chunks */
	struct varatt_external toast;
	uint8	   *chunks;			/* bytes that may be written; else NULL */
	bool	   *is_here;		/* one a chunk */
};

/* Whether a value is one to fetch by chunks; its TOAST pointer then is in *toast. */
static bool
is_sliced(struct varlena *value, struct varatt_external *toast)
{
	if (!VARATT_IS_EXTERNAL_ONDISK(value))
		return false;
	VARATT_EXTERNAL_GET_POINTER(*toast, value);
	return !VARATT_EXTERNAL_IS_COMPRESSED(*toast) &&
		VARATT_EXTERNAL_GET_EXTSIZE(*toast) >= MIN_SLICED_SIZE;
}

RowserSource *
rowser_source_open(Datum rowset, uint64 *fetched)
{
	RowserSource *source = palloc0(sizeof(RowserSource));
	struct varlena *value = (struct varlena *) DatumGetPointer(rowset);
	bytea	   *whole;

	source->fetched = fetched != NULL ? fetched : &source->own_fetched;
	if (is_sliced(value, &source->toast))
	{
		source->size = VARATT_EXTERNAL_GET_EXTSIZE(source->toast);
		/* room for a header, which fetching thinks is there */
		source->chunks = palloc_extended(VARHDRSZ + source->size,
										 MCXT_ALLOC_HUGE);
		source->chunks += VARHDRSZ;
		source->is_here = palloc0(source->size / TOAST_MAX_CHUNK_SIZE + 1);
		source->bytes = source->chunks;
		return source;
	}
	if (VARATT_IS_EXTERNAL_ONDISK(value))
		*source->fetched += toast_datum_size(rowset) - VARHDRSZ;
	whole = DatumGetByteaPP(rowset);
	source->bytes = (const uint8 *) VARDATA_ANY(whole);
	source->size = VARSIZE_ANY_EXHDR(whole);
	return source;
}

RowserSource *
rowser_source_open_bytes(const uint8 *bytes, size_t size)
{
	RowserSource *source = palloc0(sizeof(RowserSource));

	source->fetched = &source->own_fetched;
	source->bytes = bytes;
	source->size = size;
	return source;
}

Oid
rowser_source_storage(const RowserSource *source)
{
	return source->chunks != NULL ? source->toast.va_toastrelid : InvalidOid;
}

void
rowser_source_start(const RowserSource *source, RowserCursor *cursor,
					RowserFault *fault)
{
	rowser_cursor_init(cursor, source->bytes, source->size, fault);
}

/* Fetch bytes, from the first one of a chunk on, into their place. */
static void
fetch(RowserSource *source, uint64 offset, uint64 size)
{
	Relation	relation = table_open(source->toast.va_toastrelid,
									  AccessShareLock);

	table_relation_fetch_toast_slice(relation, source->toast.va_valueid,
									 (int32) source->size, (int32) offset,
									 (int32) size,
									 (struct varlena *) (source->chunks + offset - VARHDRSZ));
	table_close(relation, AccessShareLock);
	*source->fetched += size;
}

void
rowser_source_need(RowserSource *source, uint64 offset, uint64 size)
{
	uint64		chunk = offset / TOAST_MAX_CHUNK_SIZE;
	uint64		end;

	if (source->chunks == NULL || size == 0 || offset >= source->size)
		return;
	size = Min(size, source->size - offset);
	end = (offset + size - 1) / TOAST_MAX_CHUNK_SIZE + 1;
	while (chunk < end)
	{
		uint64		first;
		uint64		from;
		uint64		to;

		while (chunk < end && source->is_here[chunk])
			chunk++;
		first = chunk;
		while (chunk < end && !source->is_here[chunk])
			chunk++;
		if (chunk == first)
			break;
		from = first * TOAST_MAX_CHUNK_SIZE;
		to = Min(chunk * TOAST_MAX_CHUNK_SIZE, source->size);
		fetch(source, from, to - from);
		memset(source->is_here + first, true, chunk - first);
	}
}

bool
rowser_source_read_frame(RowserSource *source, RowserCursor *cursor,
						 RowserHeader *header, RowserTrailer *trailer)
{
	uint64		size;

	rowser_source_need(source, 0, ROWSER_HEADER_PREFIX_SIZE);
	if (rowser_header_extent(*cursor, &size))
		rowser_source_need(source, 0, size);
	if (!rowser_header_read(cursor, header))
		return false;
	size = Min(source->size, sizeof(uint32));
	rowser_source_need(source, source->size - size, size);
	if (rowser_trailer_extent(*cursor, &size))
		rowser_source_need(source, source->size - size, size);
	return rowser_trailer_read(cursor, trailer);
}
