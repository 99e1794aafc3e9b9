/** Fuzzes pictures. Both parsers must determine the same size, and an accepted upload must be stored unchanged. */
import { imageSize } from '../../extension/popup/send/scan/image-size.ts';
import { testJpeg, testPng, testWebp } from '../../protocol/http/testing-picture.ts';
import { readPicture, readSmallPicture } from '../../protocol/http/picture.ts';
import { problemOfUpload, uploadedPicture } from '../../server/uploaded-picture.ts';
import { must, mustEqual, target } from '../target.ts';

export default target({
  form: 'bytes',
  seeds: () => [
    testPng(20, 30, [1, 2, 3]),
    testPng(20, 30, [1, 2, 3], ['acTL']),
    testJpeg(20, 30),
    ...(['VP8 ', 'VP8L', 'VP8X'] as const).map((form) => testWebp(form, 20, 30)),
  ],
  read: (input) => ({
    picture: readPicture(input),
    small: readSmallPicture(input),
    size: imageSize(input),
    problem: problemOfUpload(input),
  }),
  check: ({ picture, small, size, problem }, input) => {
    if (picture && picture.width > 0 && picture.height > 0)
      mustEqual({ width: picture.width, height: picture.height }, size, 'two sizes');
    if (small) must(small.width <= 1024 && small.height <= 1024 && small.width * small.height > 0, 'not small');
    if (problem === null) mustEqual(uploadedPicture(input).image, input, 'another picture');
  },
});
