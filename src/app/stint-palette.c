/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The setting of the colours, applied: libadwaita knows light and dark, and high contrast only if
 * the system asks for it, so a few rules of ours make up for that. The output's colours are
 * stint-terminal.c's. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-palette.h"

#include <adwaita.h>

struct _StintPalette
{
  GObject parent_instance;

  StintSettings *settings;
  GtkCssProvider *high_contrast; /* (nullable): while it is in use */
};

G_DEFINE_FINAL_TYPE (StintPalette, stint_palette, G_TYPE_OBJECT)

static void
set_high_contrast (StintPalette *self, gboolean wanted)
{
  GdkDisplay *display = gdk_display_get_default ();

  if (wanted == (self->high_contrast != NULL) || display == NULL)
    return;
  if (wanted)
    {
      self->high_contrast = gtk_css_provider_new ();
      gtk_css_provider_load_from_resource (self->high_contrast,
                                           "/io/github/stint/Stint/high-contrast.css");
      gtk_style_context_add_provider_for_display (display,
                                                  GTK_STYLE_PROVIDER (self->high_contrast),
                                                  GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1);
      return;
    }
  gtk_style_context_remove_provider_for_display (display,
                                                 GTK_STYLE_PROVIDER (self->high_contrast));
  g_clear_object (&self->high_contrast);
}

static void
apply (StintPalette *self)
{
  const char *name = stint_settings_get_palette (self->settings);
  AdwColorScheme scheme = ADW_COLOR_SCHEME_DEFAULT;

  if (g_strcmp0 (name, "light") == 0)
    scheme = ADW_COLOR_SCHEME_FORCE_LIGHT;
  else if (g_strcmp0 (name, "dark") == 0)
    scheme = ADW_COLOR_SCHEME_FORCE_DARK;
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), scheme);
  set_high_contrast (self, g_strcmp0 (name, "high-contrast") == 0);
}

static void
stint_palette_dispose (GObject *object)
{
  StintPalette *self = STINT_PALETTE (object);

  set_high_contrast (self, FALSE);
  g_clear_object (&self->settings);

  G_OBJECT_CLASS (stint_palette_parent_class)->dispose (object);
}

static void
stint_palette_class_init (StintPaletteClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_palette_dispose;
}

static void
stint_palette_init (StintPalette *self)
{
}

StintPalette *
stint_palette_new (StintSettings *settings)
{
  StintPalette *self;

  g_return_val_if_fail (STINT_IS_SETTINGS (settings), NULL);

  self = g_object_new (STINT_TYPE_PALETTE, NULL);
  self->settings = g_object_ref (settings);
  g_signal_connect_object (settings, "notify::palette", G_CALLBACK (apply), self,
                           G_CONNECT_SWAPPED);
  apply (self);
  return self;
}
