/**
 * The page of the control: like Touch Lab it shows a mark, a ring and two lines at the last touch, on a dark background with a
 * grid and tiles. It draws them in the handler of the touch event.
 */
export const TOUCH_PAGE = `<!doctype html><meta name="viewport" content="width=device-width"><style>
html, body { margin: 0; height: 100%; background: #10131c; overflow: hidden; touch-action: none }
body { background-image: linear-gradient(#fff1 1px, #0000 1px), linear-gradient(90deg, #fff1 1px, #0000 1px);
  background-size: 48px 48px }
div { position: absolute; pointer-events: none }
.tile { background: #1c2130; border-radius: 16px; width: 260px; height: 96px; color: #f4f6fb; font: 24px sans-serif }
#across { left: 0; right: 0; height: 1px; background: #fff3 }
#down { top: 0; bottom: 0; width: 1px; background: #fff3 }
#mark { width: 78px; height: 78px; margin: -39px; border-radius: 50%;
  background: radial-gradient(#ff6fb5 8px, #ff6fb566 9px 22px, #ff6fb533 23px) }
</style><div id=across></div><div id=down></div><div id=mark></div><script>
for (let index = 0; index < 8; index++) {
  const tile = document.createElement('div');
  tile.className = 'tile';
  tile.style.left = 30 + (index % 2) * 275 + 'px';
  tile.style.top = 180 + Math.floor(index / 2) * 110 + 'px';
  document.body.append(tile);
}
const [at, taps] = document.querySelectorAll('.tile');
let count = 0;
addEventListener('touchstart', ({ touches: [{ clientX, clientY }] }) => {
  across.style.top = mark.style.top = clientY + 'px';
  down.style.left = mark.style.left = clientX + 'px';
  at.textContent = clientX + ', ' + clientY;
  taps.textContent = ++count;
});
</script>`;
