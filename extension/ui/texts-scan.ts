/** The texts of reading a QR code. */
import { translatable } from './translatable.ts';

export const scanTexts = translatable('scan', {
  scan: 'Scan QR code',
  choose: 'Choose image',
  camera: 'Use camera',
  hint: 'You can also paste an image here, or drop one.',
  inTab: 'They open in a tab.',
  reading: 'Reading the image…',
  starting: 'Starting the camera…',
  aim: 'Hold the code in front of the camera.',
  picture: 'Picture from your camera',
  stop: 'Stop camera',
  filled: 'Filled in from the QR code. Check it before you send.',
  codeSays: 'The code says:',
  failed: {
    'too-large': 'This image is too large. Take a screenshot of the code instead.',
    'no-image': 'Your wallet can’t read this file. Choose a PNG, JPEG or WebP image.',
    'no-code': 'There’s no QR code in this image, or it’s too blurry to read.',
  },
  noCamera: 'There’s no camera that your browser can use.',
  notAllowed: 'Your browser doesn’t let your wallet use the camera. Allow it in the address bar, then try again.',
});
