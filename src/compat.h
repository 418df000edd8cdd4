/*-------------------------------------------------------------------------
 *
 * compat.h
 *	  What differs between PostgreSQL versions, all of it.
 *
 * Every test of PG_VERSION_NUM stands here.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_COMPAT_H
#define ROWSER_COMPAT_H

/* The versions that doc/versions.md speaks of; scripts read them here too */
#define ROWSER_OLDEST_POSTGRES 15
#define ROWSER_NEWEST_POSTGRES 19

#if PG_VERSION_NUM / 10000 < ROWSER_OLDEST_POSTGRES || \
	PG_VERSION_NUM / 10000 > ROWSER_NEWEST_POSTGRES
#error "rowser does not support this version of PostgreSQL, see doc/versions.md"
#endif

/* 16 moved the varlena macros out of postgres.h */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif

/* 18 split EXPLAIN's header */
#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#endif

/* 18 has a macro that stands before the declaration */
#if PG_VERSION_NUM >= 180000
#define rowser_noreturn pg_noreturn
#else
#define rowser_noreturn pg_attribute_noreturn()
#endif

/* 16 added an error context to make_range() */
#if PG_VERSION_NUM >= 160000
#define rowser_make_range(typcache, lower, upper, empty) \
	make_range(typcache, lower, upper, empty, NULL)
#else
#define rowser_make_range(typcache, lower, upper, empty) \
	make_range(typcache, lower, upper, empty)
#endif

/* 16 replaced the functions that check one kind of object by one for all */
#if PG_VERSION_NUM >= 160000
#include "catalog/pg_namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#define rowser_namespace_usage(oid, user) \
	object_aclcheck(NamespaceRelationId, oid, user, ACL_USAGE)
#define rowser_type_usage(oid, user) \
	object_aclcheck(TypeRelationId, oid, user, ACL_USAGE)
#define rowser_function_execute(oid, user) \
	object_aclcheck(ProcedureRelationId, oid, user, ACL_EXECUTE)
#else
#define rowser_namespace_usage(oid, user) \
	pg_namespace_aclcheck(oid, user, ACL_USAGE)
#define rowser_type_usage(oid, user) \
	pg_type_aclcheck(oid, user, ACL_USAGE)
#define rowser_function_execute(oid, user) \
	pg_proc_aclcheck(oid, user, ACL_EXECUTE)
#endif

/* 16 took what a statement's permissions are about out of its range table */
#if PG_VERSION_NUM >= 160000
#define RowserPermissionInfo RTEPermissionInfo
#define rowser_permission_info(item) ((item)->p_perminfo)
#define rowser_check_permissions(pstate) \
	((void) ExecCheckPermissions((pstate)->p_rtable, \
								 (pstate)->p_rteperminfos, true))
#else
#define RowserPermissionInfo RangeTblEntry
#define rowser_permission_info(item) ((item)->p_rte)
#define rowser_check_permissions(pstate) \
	((void) ExecCheckRTPerms((pstate)->p_rtable, true))
#endif

/* ... and 18 has to be told which of its entries are in use */
#if PG_VERSION_NUM >= 180000
#define rowser_init_range_table(estate, pstate) \
	ExecInitRangeTable(estate, (pstate)->p_rtable, \
					   (pstate)->p_rteperminfos, bms_make_singleton(1))
#elif PG_VERSION_NUM >= 160000
#define rowser_init_range_table(estate, pstate) \
	ExecInitRangeTable(estate, (pstate)->p_rtable, (pstate)->p_rteperminfos)
#else
#define rowser_init_range_table(estate, pstate) \
	ExecInitRangeTable(estate, (pstate)->p_rtable)
#endif

/* 16 can insert into the indexes that summarize only, 19 has flags for all */
#if PG_VERSION_NUM >= 190000
#define rowser_insert_index_tuples(target, slot, estate) \
	ExecInsertIndexTuples(target, estate, 0, slot, NIL, NULL)
#elif PG_VERSION_NUM >= 160000
#define rowser_insert_index_tuples(target, slot, estate) \
	ExecInsertIndexTuples(target, slot, estate, false, false, NULL, NIL, false)
#else
#define rowser_insert_index_tuples(target, slot, estate) \
	ExecInsertIndexTuples(target, slot, estate, false, false, NULL, NIL)
#endif

/* 19 can tell whether a domain's constraints are volatile, too */
#if PG_VERSION_NUM >= 190000
#define rowser_domain_has_constraints(type) DomainHasConstraints(type, NULL)
#else
#define rowser_domain_has_constraints(type) DomainHasConstraints(type)
#endif

/* 16 makes the map of a partition's columns when it is asked for */
#if PG_VERSION_NUM >= 160000
#define rowser_root_to_child_map(target, estate) \
	ExecGetRootToChildMap(target, estate)
#else
#define rowser_root_to_child_map(target, estate) \
	((target)->ri_RootToPartitionMap)
#endif

/* 16 renamed what tells that a relation's file is new in the transaction */
#if PG_VERSION_NUM >= 160000
#define rowser_rd_first_file_subid rd_firstRelfilelocatorSubid
#else
#define rowser_rd_first_file_subid rd_firstRelfilenodeSubid
#endif

/* 16 renamed the function that gives the status of one session of many */
#if PG_VERSION_NUM >= 160000
#define rowser_local_status(i) pgstat_get_local_beentry_by_index(i)
#else
#define rowser_local_status(i) pgstat_fetch_stat_local_beentry(i)
#endif

/* 18 can leave room before the copy of a slot's row; a tuplestore has none */
#if PG_VERSION_NUM >= 180000
#define ROWSER_COPY_MINIMAL_TUPLE_ARGS TupleTableSlot *slot, Size extra
#else
#define ROWSER_COPY_MINIMAL_TUPLE_ARGS TupleTableSlot *slot
#endif

#endif							/* ROWSER_COMPAT_H */
