/*-------------------------------------------------------------------------
 *
 * domain.h
 *	  Checking a domain's constraints, NULLs included.
 *
 * Core's domain_check() looks up the base type's receive function, which not
 * every type has.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COLUMNS_DOMAIN_H
#define ROWSER_COLUMNS_DOMAIN_H

typedef struct RowserDomain RowserDomain;

/*
 * Prepare the check of a domain; NULL for a type that is none.  Allocated in
 * the current context.
 */
extern RowserDomain *rowser_domain_create(Oid type);

/* Raise what core does for a value of the base type that may not be. */
extern void rowser_domain_check(RowserDomain *domain, Datum value,
								bool isnull);

/*
 * A domain at any depth of a type, bounds of ranges included, whose constraints
 * must not run because bytes name the type: it belongs to neither a superuser nor
 * the current user.  InvalidOid if there is none.
 */
extern Oid	rowser_domain_untrusted(Oid type);

#endif							/* ROWSER_COLUMNS_DOMAIN_H */
