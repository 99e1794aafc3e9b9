/** Draws a QR code as one SVG path, which is sharp at any size. Dark on white in both themes, as cameras expect. */
import { correction, generate } from 'lean-qr';
import { useMemo } from 'preact/hooks';

/** Width of the quiet zone (modules), which cameras need to detect the code's edge. */
const BORDER = 2;

/** Shows a QR code. `label` describes its content to screen readers. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const code = generate(text, { minCorrectionLevel: correction.M });
    let path = '';
    for (let y = 0; y < code.size; y += 1) {
      for (let x = 0; x < code.size; x += 1) if (code.get(x, y)) path += `M${x + BORDER} ${y + BORDER}h1v1h-1z`;
    }
    return { size: code.size + 2 * BORDER, path };
  }, [text]);
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
