import { WHOLE } from './bare-screen-messages.ts';

/** The page of the bare screen: sends a pointer's place, decodes the tiles that come by WebCodecs, and draws them; nothing else. */
export const BARE_PAGE = `<!doctype html><meta charset="utf-8"><title>Bare tiles</title>
<style>canvas { display: block; height: 800px }</style>
<main><canvas class="screen"></canvas></main><script type="module">
const main = document.querySelector('main');
const canvas = document.querySelector('canvas');
const context = canvas.getContext('2d', { alpha: false });
const socket = new WebSocket(location.href.replace('http', 'ws'));
socket.binaryType = 'arraybuffer';
socket.onopen = () => {
  main.dataset.state = 'connected';
  socket.send(Uint16Array.of(${WHOLE}, 0));
};
const decode = async (data) => {
  const decoder = new ImageDecoder({ type: 'image/jpeg', data });
  const { image } = await decoder.decode();
  decoder.close();
  return image;
};
socket.onmessage = async ({ data }) => {
  const view = new DataView(data);
  const tiles = [];
  for (let at = 0; at < view.byteLength; ) {
    const [x, y, width, height] = [0, 2, 4, 6].map((offset) => view.getUint16(at + offset, true));
    const bytes = view.getUint32(at + 8, true);
    tiles.push({ x, y, width, height, image: decode(new Uint8Array(data, at + 12, bytes)) });
    at += 12 + bytes;
  }
  const images = await Promise.all(tiles.map(({ image }) => image));
  if (main.dataset.shown === undefined) {
    [canvas.width, canvas.height] = [tiles[0].width, tiles[0].height];
    main.dataset.shown = '';
  }
  for (const [index, { x, y, width, height }] of tiles.entries()) {
    context.drawImage(images[index], x, y, width, height);
    images[index].close();
  }
};
canvas.addEventListener('pointerdown', ({ offsetX, offsetY }) => {
  const { clientWidth, clientHeight, width, height } = canvas;
  socket.send(Uint16Array.of((offsetX / clientWidth) * width, (offsetY / clientHeight) * height));
});
</script>`;
