/** The full screen that guided views are played on, where the browser gives it. */

/** Only right after a click or a key. */
export function enterFullScreen(): void {
  if (document.fullscreenElement === null) document.documentElement.requestFullscreen?.().catch(() => undefined);
}

export function leaveFullScreen(): void {
  if (document.fullscreenElement !== null) void document.exitFullscreen().catch(() => undefined);
}

export const toggleFullScreen = (): void =>
  document.fullscreenElement === null ? enterFullScreen() : leaveFullScreen();
