/*-------------------------------------------------------------------------
 *
 * resolve.h
 *	  Types that a rowset describes, as types of this database.
 *
 * What a rowset says is a claim: nothing here looks into search_path, casts, or
 * creates anything, and domains are taken for what they are based on, so that
 * no function runs because the bytes name it.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_RESOLVE_H
#define ROWSER_COLUMNS_RESOLVE_H

#include "bytes/header.h"

/* A text of a rowset as a palloc'd C string in this database's encoding */
extern char *rowser_resolve_text(RowserString text, int encoding);

/* A name, cut to what an identifier can have, as PostgreSQL itself does. */
extern char *rowser_resolve_name(RowserString name, int encoding);

/*
 * The type that a description names, looked up by exact schema and name.
 * Domains are read as what they are based on, at any depth; a composite type
 * with one inside is therefore read as a record.  Raises 42704 where there is
 * none, 42501 without USAGE on schema and type, 22P03 for a description
 * that can't be one of its type, and 0A000 for what has no type without its
 * domain, an array of a domain over an array.
 */
extern Oid	rowser_resolve_type(const RowserType *described, int encoding);

/*
 * The type of an exact schema and name, whatever it may be; InvalidOid when
 * there is none here.  Raises 42501 without USAGE on schema and type.
 */
extern Oid	rowser_resolve_named(RowserString schema, RowserString name,
								 int encoding);

/*
 * The same type and its typmod, but with the domains inside, as far as they
 * exist here: what send functions write has their OIDs.  Raises the same errors.
 */
extern Oid	rowser_resolve_sent(const RowserType *described, int encoding,
								int32 *typmod);

/*
 * The type that a description names, domains included, whatever it may be used
 * for; InvalidOid when there is none here.  Only to be shown.
 */
extern Oid	rowser_resolve_shown(const RowserType *described, int encoding);

/* The collation that a description names, or InvalidOid without one here. */
extern Oid	rowser_resolve_collation(const RowserType *described,
									 int encoding);

/*
 * Whether a description is that of a type of this database, which the caller
 * chose: by OID when it is built in, else by schema and name.
 */
extern bool rowser_resolve_is(const RowserType *described, Oid type,
							  int encoding);

/* Whether rowser_resolve_type() would have a type for it, as far as shapes say */
extern bool rowser_resolve_is_readable(const RowserType *described);

/* Whether values lie in the bytes as a description says. */
extern bool rowser_resolve_fits(const RowserType *described, Oid type);

/*
 * The typmod that goes with rowser_resolve_type()'s type.  Raises 22P03 for one
 * that the type can't have.
 */
extern int32 rowser_resolve_typmod(const RowserType *described);

/* The typmod that goes with rowser_resolve_shown()'s type */
extern int32 rowser_resolve_shown_typmod(const RowserType *described);

/* Whether a built-in type can have a typmod; others are theirs to judge. */
extern bool rowser_resolve_typmod_is_possible(Oid type, int32 typmod);

/* The rowset's encoding, or an error that names it when it isn't known here. */
extern int	rowser_resolve_encoding(RowserString encoding);
extern int	rowser_resolve_encoding_if_known(RowserString encoding);

#endif							/* ROWSER_COLUMNS_RESOLVE_H */
