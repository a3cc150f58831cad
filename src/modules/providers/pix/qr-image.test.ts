import { qrImage } from './qr-image.ts';

it('is the data URL of a PNG image', async () => {
  const url = await qrImage('00020101021226');
  const [head, body = ''] = url.split(',');
  expect(head).toBe('data:image/png;base64');
  expect(Buffer.from(body, 'base64').subarray(0, 8)).toEqual(Buffer.from('89504e470d0a1a0a', 'hex'));
});
