/** Finds a QR code in pixels: by the browser where it can, else by a library, which is loaded only then. */

/** What a canvas can draw, with its size in pixels. */
export interface Picture {
  source: CanvasImageSource;
  width: number;
  height: number;
}

/** Longest side that is searched (pixels): what is larger is drawn smaller. */
const SEARCHED_SIDE = 2400;
/** Most characters of a code (ISO/IEC 18004: digits alone, largest size). */
const MAX_CODE = 7089;

/** The part of the Shape Detection API that is used; the types of the DOM do not have it. */
interface Detector {
  detect(image: ImageData): Promise<{ rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

/**
 * The text of a QR code in a picture, or null.
 * @param patience how long the library may go on looking (milliseconds)
 */
export async function findCode({ source, width, height }: Picture, patience: number): Promise<string | null> {
  const scale = Math.min(1, SEARCHED_SIDE / Math.max(width, height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return null;
  context.fillStyle = '#fff'; // behind what is transparent
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  return (await byBrowser(pixels)) ?? byLibrary(pixels, patience);
}

async function byBrowser(pixels: ImageData): Promise<string | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };
  if (BarcodeDetector === undefined) return null;
  try {
    // Where the system has no detector, the class is there and finds nothing.
    if (!(await BarcodeDetector.getSupportedFormats()).includes('qr_code')) return null;
    const [found] = await new BarcodeDetector({ formats: ['qr_code'] }).detect(pixels);
    return found === undefined ? null : bounded(found.rawValue);
  } catch {
    return null;
  }
}

/** Decodes pixels by the library. @param patience as of {@link findCode} */
export async function byLibrary(
  pixels: Pick<ImageData, 'data' | 'width' | 'height'>,
  patience: number,
): Promise<string | null> {
  const { decodeQR } = await import('qr/decode.js');
  try {
    return bounded(decodeQR(pixels, { effort: Number.POSITIVE_INFINITY, timeLimit: patience }));
  } catch {
    return null; // its way to say that there is none
  }
}

const bounded = (text: string): string | null => (text.length > 0 && text.length <= MAX_CODE ? text : null);
