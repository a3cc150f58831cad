import { qrImage } from './qr-image.ts';

it('is the data URL of a PNG image', async () => {
  const url = await qrImage('00020101021226');
  const [head, body = ''] = (url ?? '').split(',');
  expect(head).toBe('data:image/png;base64');
  expect(Buffer.from(body, 'base64').subarray(0, 8)).toEqual(Buffer.from('89504e470d0a1a0a', 'hex'));
});

it.each([
  ['', false],
  ['0', true],
  ['€'.repeat(777), true],
  ['€'.repeat(778), false],
  ['0'.repeat(3_000_000), false],
])('is there where a QR code can hold the payload', async (payload, fits) => {
  expect((await qrImage(payload)) !== null).toBe(fits);
});
