/*-------------------------------------------------------------------------
 *
 * settings.h
 *	  The settings rowser.* as the calls use them.
 *
 *-------------------------------------------------------------------------
 */
#ifndef ROWSER_SETTINGS_H
#define ROWSER_SETTINGS_H

#include "rowset/writer.h"

/* How a rowset is to be written, as the session has set it. */
extern RowserWriterOptions rowser_settings_writer_options(void);

/* Whether calls in FROM are planned as a RowsetScan. */
extern bool rowser_settings_scan_is_enabled(void);

#endif							/* ROWSER_SETTINGS_H */
