/** Finds a QR code in pixels with the browser's detector, otherwise with a library that is loaded on demand. */

/** An image that can be drawn on a canvas, with its size in pixels. */
export interface Picture {
  source: CanvasImageSource;
  width: number;
  height: number;
}

/** Maximum side length of a searched image (pixels). Larger images are scaled down. */
const SEARCHED_SIDE = 2400;
/** Maximum length of a code's text (characters; ISO/IEC 18004: digits in the largest size). */
const MAX_CODE = 7089;

/** The parts of the Shape Detection API that are used here. They are missing from the DOM types. */
interface Detector {
  detect(image: ImageData): Promise<{ rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

/** Returns the text of a QR code in an image, or null. @param patience maximum search time (milliseconds) */
export async function findCode({ source, width, height }: Picture, patience: number): Promise<string | null> {
  const scale = Math.min(1, SEARCHED_SIDE / Math.max(width, height));
  const canvas = new OffscreenCanvas(Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale)));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) return null;
  context.fillStyle = '#fff'; // A white background for transparent images.
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(source, 0, 0, canvas.width, canvas.height);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  return (await byBrowser(pixels)) ?? byLibrary(pixels, patience);
}

async function byBrowser(pixels: ImageData): Promise<string | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: DetectorClass };
  if (BarcodeDetector === undefined) return null;
  try {
    // On systems without a detector, the class exists but finds nothing.
    if (!(await BarcodeDetector.getSupportedFormats()).includes('qr_code')) return null;
    const [found] = await new BarcodeDetector({ formats: ['qr_code'] }).detect(pixels);
    return found === undefined ? null : bounded(found.rawValue);
  } catch {
    return null;
  }
}

/** Finds and decodes a code with the library. @param patience maximum search time (milliseconds) */
export async function byLibrary(
  pixels: Pick<ImageData, 'data' | 'width' | 'height'>,
  patience: number,
): Promise<string | null> {
  const { decodeQR } = await import('qr/decode.js');
  try {
    return bounded(decodeQR(pixels, { effort: Number.POSITIVE_INFINITY, timeLimit: patience }));
  } catch {
    return null; // The library throws if there is no code.
  }
}

const bounded = (text: string): string | null => (text.length > 0 && text.length <= MAX_CODE ? text : null);
