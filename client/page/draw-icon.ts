const SVG = 'http://www.w3.org/2000/svg';

/** An icon out of one path on a grid of 24 by 24; the style sheet gives it line and colour. It is hidden from readers. */
export function drawIcon(path: string): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}
