/*-------------------------------------------------------------------------
 *
 * settings.h
 *	  The settings rowser.* as the calls use them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_SETTINGS_H
#define ROWSER_SETTINGS_H

#include "rowset/arrow_writer.h"
#include "rowset/writer.h"

/* How a rowset is to be written, as the session has set it. */
extern RowserWriterOptions rowser_settings_writer_options(void);

/* How an Arrow stream is to be written. */
extern RowserArrowOptions rowser_settings_arrow_options(void);

/* Whether calls in FROM are planned as a RowsetScan. */
extern bool rowser_settings_scan_is_enabled(void);

#endif							/* ROWSER_SETTINGS_H */
