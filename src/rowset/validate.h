/*-------------------------------------------------------------------------
 *
 * validate.h
 *	  Whether bytes are a whole and undamaged rowset.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_ROWSET_VALIDATE_H
#define ROWSER_ROWSET_VALIDATE_H

/*
 * Check header, row groups and trailer without raising an error but for a
 * cancelled query or memory that is out.
 */
extern bool rowser_rowset_validate(const void *bytes, size_t size);

#endif							/* ROWSER_ROWSET_VALIDATE_H */
