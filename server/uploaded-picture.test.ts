import { expect, test } from 'vitest';
import { testJpeg, testPng, testWebp } from '../protocol/http/testing-picture.ts';
import { problemOfUpload } from './uploaded-picture.ts';

test('an uploaded picture must be a PNG or JPEG of limited size in bytes and pixels', () => {
  expect(problemOfUpload(testPng(64, 64, [1, 2, 3]))).toBeNull();
  expect(problemOfUpload(testPng(15, 64, [1, 2, 3]))).toContain('16 to 1024 pixels');
  expect(problemOfUpload(testJpeg(65_000, 65_000))).toContain('16 to 1024 pixels');
  expect(problemOfUpload(Buffer.concat([testPng(64, 64, [1, 2, 3]), Buffer.alloc(200_000)]))).toContain('200 kB');
  expect(problemOfUpload(Buffer.from('<svg/>'))).toContain('PNG or JPEG');
  expect(problemOfUpload(testWebp('VP8L', 64, 64))).toContain('PNG or JPEG');
  expect(problemOfUpload(new Uint8Array())).toBe('Choose a picture first.');
});
