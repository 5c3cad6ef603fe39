/** Module that makes a service tell, in each screen packet, when it was handed over, and not when it was captured. */
export const HAND_OVER_WATCH: string = new URL('./hand-over-watch.mjs', import.meta.url).href;
