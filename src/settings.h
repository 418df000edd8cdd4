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

#endif							/* ROWSER_SETTINGS_H */
