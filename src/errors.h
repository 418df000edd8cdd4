/*-------------------------------------------------------------------------
 *
 * errors.h
 *	  The errors that several layers raise, so that each has one text.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ERRORS_H
#define ROWSER_ERRORS_H

#include "bytes/fault.h"
#include "compat.h"

/*
 * Raise what the byte layer found: 22P03 "invalid rowset", XX001 "rowset
 * checksum does not match" or 0A000, with the place in the detail.
 */
rowser_noreturn extern void rowser_fault_report(const RowserFault *fault);

/*
 * The same for a packet: 22P03 "invalid packet", XX001 "packet checksum does
 * not match" or 0A000.
 */
rowser_noreturn extern void rowser_fault_report_packet(const RowserFault *fault);

/*
 * The same for an Arrow stream: 22P03 "invalid Arrow stream" or 0A000.
 */
rowser_noreturn extern void rowser_fault_report_arrow(const RowserFault *fault);

/* Raise 54000 "rowset is too large". */
rowser_noreturn extern void rowser_report_too_large(void);

#endif							/* ROWSER_ERRORS_H */
