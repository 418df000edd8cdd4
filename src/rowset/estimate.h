/*-------------------------------------------------------------------------
 *
 * estimate.h
 *	  What planning wants to know of a rowset, at little cost.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_ESTIMATE_H
#define ROWSER_ROWSET_ESTIMATE_H

/*
 * The number of rows that a rowset says it has; false, and no error, when the
 * bytes are not a rowset.  `rowset` is a bytea in any form.
 */
extern bool rowser_rowset_estimate_rows(Datum rowset, double *nrows);

#endif							/* ROWSER_ROWSET_ESTIMATE_H */
