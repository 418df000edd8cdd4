/*-------------------------------------------------------------------------
 *
 * rowser.c
 *	  What the server sees when it loads the library: the module's magic,
 *	  its settings and its hooks.
 *
 *-------------------------------------------------------------------------
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/guc.h"

#include "bytes/group.h"
#include "scan/scan.h"
#include "settings.h"

PG_MODULE_MAGIC;

#define DEFAULT_ROW_GROUP_ROWS 12288

/* Largest level of any method; zstd's is the larger one */
#define MAX_COMPRESSION_LEVEL 22

/* What becomes of values that Arrow can't hold */
#define UNREPRESENTABLE_ERROR	0
#define UNREPRESENTABLE_NULL	1

#ifdef ROWSER_WITH_LZ4
#define DEFAULT_COMPRESSION ROWSER_METHOD_LZ4
#else
#define DEFAULT_COMPRESSION ROWSER_METHOD_NONE
#endif

static int	compression = DEFAULT_COMPRESSION;
static int	compression_level = 0;
static int	row_group_rows = DEFAULT_ROW_GROUP_ROWS;
static bool enable_scan = true;
static int	arrow_compression = ROWSER_ARROW_CODEC_NONE;
static int	arrow_unrepresentable = UNREPRESENTABLE_ERROR;

/* All methods can be set; one that isn't built in is refused when it is used. */
static const struct config_enum_entry compression_options[] = {
	{"none", ROWSER_METHOD_NONE, false},
	{"lz4", ROWSER_METHOD_LZ4, false},
	{"zstd", ROWSER_METHOD_ZSTD, false},
	{NULL, 0, false}
};

static const struct config_enum_entry arrow_compression_options[] = {
	{"none", ROWSER_ARROW_CODEC_NONE, false},
	{"lz4", ROWSER_ARROW_CODEC_LZ4_FRAME, false},
	{"zstd", ROWSER_ARROW_CODEC_ZSTD, false},
	{NULL, 0, false}
};

static const struct config_enum_entry arrow_unrepresentable_options[] = {
	{"error", UNREPRESENTABLE_ERROR, false},
	{"null", UNREPRESENTABLE_NULL, false},
	{NULL, 0, false}
};

extern void _PG_init(void);

void
_PG_init(void)
{
	DefineCustomEnumVariable("rowser.compression",
							 "Sets the compression method of rowsets that are written.",
							 NULL,
							 &compression,
							 DEFAULT_COMPRESSION,
							 compression_options,
							 PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("rowser.compression_level",
							"Sets the compression level of rowsets that are written.",
							"0 is the method's own default. Levels go up to 12 for lz4 and to 22 for zstd.",
							&compression_level,
							0, 0, MAX_COMPRESSION_LEVEL,
							PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomIntVariable("rowser.row_group_rows",
							"Sets the largest number of rows in a row group of rowsets that are written.",
							NULL,
							&row_group_rows,
							DEFAULT_ROW_GROUP_ROWS, 1, ROWSER_GROUP_MAX_ROWS,
							PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomBoolVariable("rowser.enable_scan",
							 "Enables the planner's use of RowsetScan for rowsets in FROM.",
							 NULL,
							 &enable_scan,
							 true,
							 PGC_USERSET, GUC_EXPLAIN, NULL, NULL, NULL);
	DefineCustomEnumVariable("rowser.arrow_compression",
							 "Sets the compression method of the bodies of Arrow streams that are written.",
							 NULL,
							 &arrow_compression,
							 ROWSER_ARROW_CODEC_NONE,
							 arrow_compression_options,
							 PGC_USERSET, 0, NULL, NULL, NULL);
	DefineCustomEnumVariable("rowser.arrow_unrepresentable",
							 "Sets whether a value that Arrow cannot hold is an error or becomes NULL.",
							 NULL,
							 &arrow_unrepresentable,
							 UNREPRESENTABLE_ERROR,
							 arrow_unrepresentable_options,
							 PGC_USERSET, 0, NULL, NULL, NULL);
	MarkGUCPrefixReserved("rowser");
	rowser_scan_register();
}

RowserWriterOptions
rowser_settings_writer_options(void)
{
	RowserWriterOptions options;

	options.compression.method = (RowserMethod) compression;
	options.compression.level = compression_level;
	options.row_group_rows = (uint32) row_group_rows;
	return options;
}

RowserArrowOptions
rowser_settings_arrow_options(void)
{
	RowserArrowOptions options;

	options.codec = (RowserArrowCodec) arrow_compression;
	options.null_unrepresentable =
		arrow_unrepresentable == UNREPRESENTABLE_NULL;
	return options;
}

bool
rowser_settings_scan_is_enabled(void)
{
	return enable_scan;
}
