/*-------------------------------------------------------------------------
 *
 * estimate.h
 *	  What planning wants to know of a rowset, at little cost.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_ESTIMATE_H
#define ROWSER_ROWSET_ESTIMATE_H

/* A rowset of which only the frame is read; opaque */
typedef struct RowserEstimate RowserEstimate;

/* What a group's header says of a column */
typedef struct RowserColumnEstimate
{
	double		null_fraction;
	bool		has_bounds;		/* of what is not NULL, as numbers */
	bool		is_discrete;	/* only whole multiples of `step` are between */
	double		step;
	double		least;
	double		greatest;
} RowserColumnEstimate;

/*
 * Begin to look at a rowset, a bytea in any form; NULL, and no error, when the
 * bytes are not one.  Memory is in a context below the current one until
 * rowser_estimate_close().
 */
extern RowserEstimate *rowser_estimate_open(Datum rowset);
extern void rowser_estimate_close(RowserEstimate *estimate);

/* The number of rows that the rowset says it has */
extern double rowser_estimate_rows(const RowserEstimate *estimate);

/*
 * The number of a column by its name, in the database's encoding; -1 when there
 * is none, or not just one.
 */
extern int	rowser_estimate_find_column(const RowserEstimate *estimate,
										const char *name);

/*
 * Go to the next group of a sample, which gives all when there are few; false
 * behind the last one, or when a group is damaged.
 */
extern bool rowser_estimate_next_group(RowserEstimate *estimate);
extern double rowser_estimate_group_rows(const RowserEstimate *estimate);

/*
 * What the group's header says of a column (0-based) that is to be read as a
 * type; false when there is no such column.
 */
extern bool rowser_estimate_column(const RowserEstimate *estimate, int column,
								   Oid type, RowserColumnEstimate *result);

/*
 * A value as a number of the same measure for types that compare with one
 * another; false for a type or a value that is none.
 */
extern bool rowser_estimate_number(Datum value, Oid type, double *number);

#endif							/* ROWSER_ROWSET_ESTIMATE_H */
