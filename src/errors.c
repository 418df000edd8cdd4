/*-------------------------------------------------------------------------
 *
 * errors.c
 *	  The errors that several layers raise, so that each has one text.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "bytes/header.h"
#include "bytes/packet.h"
#include "errors.h"

void
rowser_fault_report(const RowserFault *fault)
{
	unsigned long long offset = fault->offset;

	switch (fault->kind)
	{
		case ROWSER_FAULT_CHECKSUM:
			ereport(ERROR,
					(errcode(ERRCODE_DATA_CORRUPTED),
					 errmsg("rowset checksum does not match"),
					 errdetail("%s, at byte %llu.", fault->what, offset)));
			break;
		case ROWSER_FAULT_VERSION:
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("rowset format version %u is not supported",
							fault->version),
					 errdetail("This version of rowser reads version %d.",
							   ROWSER_FORMAT_MAJOR)));
			break;
		case ROWSER_FAULT_UNSUPPORTED:
			ereport(ERROR,
					(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
					 errmsg("rowset is not supported"),
					 errdetail("%s, at byte %llu.", fault->what, offset)));
			break;
		case ROWSER_FAULT_NONE:
		case ROWSER_FAULT_INVALID:
			break;
	}
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid rowset"),
			 errdetail("%s, at byte %llu.",
					   fault->what ? fault->what : "The bytes are damaged",
					   offset)));
}

void
rowser_fault_report_packet(const RowserFault *fault)
{
	if (fault->kind == ROWSER_FAULT_CHECKSUM)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("packet checksum does not match"),
				 errdetail("%s.", fault->what)));
	if (fault->kind == ROWSER_FAULT_VERSION)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("packet format version %u is not supported",
						fault->version),
				 errdetail("This version of rowser reads version %d.",
						   ROWSER_PACKET_VERSION)));
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid packet"),
			 errdetail("%s, at byte %llu.", fault->what,
					   (unsigned long long) fault->offset)));
}

void
rowser_fault_report_arrow(const RowserFault *fault)
{
	if (fault->kind == ROWSER_FAULT_UNSUPPORTED)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("Arrow stream is not supported"),
				 errdetail("%s, at byte %llu.", fault->what,
						   (unsigned long long) fault->offset)));
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_BINARY_REPRESENTATION),
			 errmsg("invalid Arrow stream"),
			 errdetail("%s, at byte %llu.", fault->what,
					   (unsigned long long) fault->offset)));
}

void
rowser_report_too_large(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
			 errmsg("rowset is too large"),
			 errdetail("A rowset is one value and cannot exceed 1 GB."),
			 errhint("Use query_to_rowset_chunks, which gives several rowsets of bounded size.")));
}
