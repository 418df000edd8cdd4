/*-------------------------------------------------------------------------
 *
 * scan.h
 *	  RowsetScan: rowset_to_recordset() and rowset_populate_recordset() in FROM
 *	  as a custom scan that decodes rows one by one.
 *
 * plan.c finds the calls and plans the scan; begin.c prepares it, open.c opens the
 * rowset, exec.c gives its rows and recheck.c those that the executor looks at
 * again; quals.c knows the filters by which whole row groups are left out;
 * parallel.c shares row groups among processes; explain.c shows it all.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_SCAN_SCAN_H
#define ROWSER_SCAN_SCAN_H

/* Install the planner's hook and the scan's methods; for _PG_init(). */
extern void rowser_scan_register(void);

#endif							/* ROWSER_SCAN_SCAN_H */
