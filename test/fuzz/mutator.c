/*-------------------------------------------------------------------------
 *
 * mutator.c
 *	  libFuzzer's entry points.
 *
 * Half of the mutants get checksums that fit, or nearly none would be read
 * past their header: half of these are what libFuzzer makes, half are made of
 * a rowset's parts (mutate.h), so that its frame stays whole.  What is
 * compressed in steps takes a thousand times longer than all else, so inputs
 * for that come from such inputs alone.
 *
 *-------------------------------------------------------------------------
 */
#include "c.h"

#include "allocator.h"
#include "mutate.h"
#include "reseal.h"
#include "target.h"

extern int	LLVMFuzzerTestOneInput(const uint8 *bytes, size_t size);
extern size_t LLVMFuzzerCustomMutator(uint8 *bytes, size_t size,
									  size_t max_size, unsigned int seed);
extern size_t LLVMFuzzerMutate(uint8 *bytes, size_t size, size_t max_size);

int
LLVMFuzzerTestOneInput(const uint8 *bytes, size_t size)
{
	(void) fuzz_one(bytes, size);
	return 0;
}

/* Change the parts of a rowset; 0 if it has none or too much came out. */
static size_t
mutate_parts(uint8 *bytes, size_t size, size_t max_size, unsigned int seed)
{
	RowserBuffer mutant;
	size_t		mutant_size = 0;

	hostile_memory_reset();
	rowser_buffer_init(&mutant, Max(max_size, 1), Max(max_size, 1));
	if (hostile_mutate(bytes, size, seed, &mutant))
	{
		memcpy(bytes, mutant.bytes, mutant.size);
		mutant_size = mutant.size;
	}
	hostile_memory_reset();
	return mutant_size;
}

size_t
LLVMFuzzerCustomMutator(uint8 *bytes, size_t size, size_t max_size,
						unsigned int seed)
{
	size_t		mutant_size;

	/* slow ones stay by themselves */
	if (fuzz_is_steps(bytes, size))
		return 1 + LLVMFuzzerMutate(bytes + 1, size - 1, max_size - 1);
	if (seed % 4 == 0 && fuzz_is_rowset(bytes, size))
	{
		mutant_size = mutate_parts(bytes, size, max_size, seed / 4);
		if (mutant_size > 0)
			return mutant_size;
	}
	mutant_size = LLVMFuzzerMutate(bytes, size, max_size);
	if (fuzz_is_steps(bytes, mutant_size))
		bytes[0]--;
	if (seed % 4 < 2 && fuzz_is_rowset(bytes, mutant_size))
	{
		hostile_reseal(bytes, mutant_size);
		hostile_memory_reset();
	}
	return mutant_size;
}
