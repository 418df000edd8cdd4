/*-------------------------------------------------------------------------
 *
 * schema.c
 *	  A rowset's schema: what its header says of its columns.
 *
 * Schemas are compared and hashed as the bytes that rowset_format.md, section
 * 3, calls `encoding columns`.  These name types that aren't built in, so they
 * are the same on every server; and there is one way only to write them.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "common/cryptohash.h"
#include "common/sha2.h"
#include "utils/memutils.h"

#include "columns/resolve.h"
#include "errors.h"
#include "rowset/schema.h"

/* ----------------------------------------------------------------
 *		Comparing
 * ----------------------------------------------------------------
 */

static bool
strings_are_equal(RowserString a, RowserString b)
{
	return a.size == b.size && memcmp(a.bytes, b.bytes, a.size) == 0;
}

/* Whether two columns' names, or all that is said of them, are the same. */
static bool
fields_are_equal(const RowserField *a, const RowserField *b)
{
	RowserBuffer a_bytes;
	RowserBuffer b_bytes;
	bool		result;

	rowser_buffer_init(&a_bytes, 256, MaxAllocSize);
	rowser_buffer_init(&b_bytes, 256, MaxAllocSize);
	rowser_fields_write(&a_bytes, a, 1);
	rowser_fields_write(&b_bytes, b, 1);
	result = a_bytes.size == b_bytes.size &&
		memcmp(a_bytes.bytes, b_bytes.bytes, a_bytes.size) == 0;
	rowser_buffer_free(&a_bytes);
	rowser_buffer_free(&b_bytes);
	return result;
}

static void
report_encodings(const RowserHeader *first, const RowserHeader *other)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("cannot put rowsets in different encodings together"),
			 errdetail("One is in %s, the other in %s.",
					   pnstrdup((const char *) first->encoding.bytes,
								first->encoding.size),
					   pnstrdup((const char *) other->encoding.bytes,
								other->encoding.size)),
			 errhint("Read the rows of one of them and write them again.")));
}

static void
report_columns(const char *detail)
{
	ereport(ERROR,
			(errcode(ERRCODE_DATATYPE_MISMATCH),
			 errmsg("cannot put rowsets with different columns together"),
			 errdetail_internal("%s", detail)));
}

void
rowser_schema_check_same(const RowserHeader *first, const RowserHeader *other)
{
	int			encoding = rowser_resolve_encoding(first->encoding);

	if (!strings_are_equal(first->encoding, other->encoding))
		report_encodings(first, other);
	if (first->ncolumns != other->ncolumns)
		report_columns(psprintf("The numbers of columns are %u and %u.",
								first->ncolumns, other->ncolumns));
	for (uint32 i = 0; i < first->ncolumns; i++)
	{
		const RowserField *a = &first->columns[i];
		const RowserField *b = &other->columns[i];

		if (!strings_are_equal(a->name, b->name))
			report_columns(psprintf("Column %u is \"%s\" in one and \"%s\" in the other.",
									i + 1,
									rowser_resolve_name(a->name, encoding),
									rowser_resolve_name(b->name, encoding)));
		if (!fields_are_equal(a, b))
			report_columns(psprintf("Column %u (\"%s\") differs in its type, typmod or collation.",
									i + 1,
									rowser_resolve_name(a->name, encoding)));
	}
}

/* ----------------------------------------------------------------
 *		Hashing
 * ----------------------------------------------------------------
 */

char *
rowser_schema_hash(const RowserHeader *header)
{
	pg_cryptohash_ctx *context = pg_cryptohash_create(PG_SHA256);
	uint8		digest[PG_SHA256_DIGEST_LENGTH];
	char	   *result = palloc(2 * PG_SHA256_DIGEST_LENGTH + 1);
	RowserBuffer bytes;

	rowser_buffer_init(&bytes, 256, MaxAllocSize);
	rowser_buffer_string(&bytes, header->encoding.bytes,
						 header->encoding.size);
	rowser_fields_write(&bytes, header->columns, header->ncolumns);
	if (bytes.overflowed)
		rowser_report_too_large();
	if (pg_cryptohash_init(context) < 0 ||
		pg_cryptohash_update(context, bytes.bytes, bytes.size) < 0 ||
		pg_cryptohash_final(context, digest, sizeof(digest)) < 0)
		elog(ERROR, "could not compute %s hash: %s", "SHA-256",
			 pg_cryptohash_error(context));
	pg_cryptohash_free(context);
	rowser_buffer_free(&bytes);

	for (int i = 0; i < PG_SHA256_DIGEST_LENGTH; i++)
		sprintf(result + 2 * i, "%02x", digest[i]);
	return result;
}
