/*-------------------------------------------------------------------------
 *
 * fault.h
 *	  What the byte layer says when bytes are not a rowset.
 *
 * The byte layer knows no ereport: a function that finds a fault fills the
 * RowserFault that its cursor points to and returns false.  The layers above
 * turn it into an error with rowser_fault_report() (errors.h).
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_BYTES_FAULT_H
#define ROWSER_BYTES_FAULT_H

#include "c.h"

typedef enum RowserFaultKind
{
	ROWSER_FAULT_NONE = 0,
	ROWSER_FAULT_INVALID,		/* the bytes are not what the format says */
	ROWSER_FAULT_CHECKSUM,		/* a checksum differs */
	ROWSER_FAULT_VERSION,		/* another format version; see `version` */
	ROWSER_FAULT_UNSUPPORTED	/* valid, perhaps, but not for this build */
} RowserFaultKind;

typedef struct RowserFault
{
	RowserFaultKind kind;
	const char *what;			/* a sentence without its full stop; static */
	uint64		offset;			/* byte of the rowset where it was seen */
	uint64		origin;			/* byte of the rowset where the cursor started */
	uint8		version;		/* the major version that isn't supported */
} RowserFault;

#endif							/* ROWSER_BYTES_FAULT_H */
