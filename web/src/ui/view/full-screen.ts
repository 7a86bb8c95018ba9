/** The viewer on the whole screen, and back. */

export function toggleFullScreen(): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen();
  // A frame may not be allowed to; then everything stays as it is.
  else document.documentElement.requestFullscreen?.().catch(() => undefined);
}
