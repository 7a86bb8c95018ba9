/** Full screen. */

export function toggleFullScreen(): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  // Frames may lack the permission.
  else document.documentElement.requestFullscreen?.().catch(() => undefined);
}
