/*-------------------------------------------------------------------------
 *
 * patch.h
 *	  Sees every allocation of this session in an AllocSet.
 *
 *-------------------------------------------------------------------------
 */
#ifndef FAULTS_PATCH_H
#define FAULTS_PATCH_H

/* Called at each; true if this allocation shall fail. */
typedef bool (*FaultsAllocHook) (MemoryContext context);

/* Have the hook called from now on.  There is no way back. */
extern void faults_patch_memory(FaultsAllocHook hook);

#endif							/* FAULTS_PATCH_H */
