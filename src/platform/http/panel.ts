import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { RequestHandler, Response, Router } from 'express';
import { notFound } from '../../kernel/errors.ts';
import { memoized } from '../../kernel/memoized.ts';
import { projectFolder } from '../project-folder.ts';
import { refuseMethod } from './app.ts';

type PanelFile = {
  readonly path: string;
  readonly type: string;
  readonly plain: Buffer;
  /** Compresses a file when it is first requested, so that the start need not wait for files that few request. */
  readonly zipped: () => Buffer;
};

/** The built panel: its page, and the files that the page refers to by hashed names. */
export type PanelFiles = { readonly page: PanelFile; readonly files: readonly PanelFile[] };

/** Allows only the panel's own files; images of QR codes come within answers of the API. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const fileAt = (folder: string, path: string): PanelFile => {
  const plain = readFileSync(join(folder, path));
  return { path, type: extname(path), plain, zipped: memoized(() => gzipSync(plain)) };
};

const builtFolder = (): string => {
  const folder = projectFolder('dist/panel');
  return existsSync(join(folder, 'index.html')) ? folder : '';
};

/** Reads the panel; null where it was not built. */
export const readPanel = (folder = builtFolder()): PanelFiles | null => {
  if (folder === '') return null;
  const files = readdirSync(join(folder, 'assets'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => fileAt(folder, relative(folder, join(parentPath, name))));
  return { page: fileAt(folder, 'index.html'), files };
};

const send = (response: Response, { type, plain, zipped }: PanelFile, cacheControl: string): void => {
  const isZipped = /\bgzip\b/.test(response.req.get('Accept-Encoding') ?? '');
  response.setHeader('Content-Security-Policy', POLICY);
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('Cache-Control', cacheControl);
  response.setHeader('Vary', 'Accept-Encoding');
  if (isZipped) response.setHeader('Content-Encoding', 'gzip');
  response.type(type).send(isZipped ? zipped() : plain);
};

/** Serves the panel below `/panel`; every screen gets the same page. */
export const servePanel = (router: Router, { page, files }: PanelFiles): void => {
  const get = (path: string, handle: RequestHandler): void => {
    router.get(path, handle);
    router.all(path, refuseMethod(['GET', 'HEAD']));
  };
  for (const file of files)
    get(`/panel/${file.path}`, (_request, response) =>
      send(response, file, 'public, max-age=31536000, immutable'),
    );
  get('/panel{/}', (_request, response) => send(response, page, 'no-cache'));
  // A file that no longer exists must not be taken for a screen.
  get('/panel/assets/*file', () => {
    throw notFound('File');
  });
  get('/panel/*screen', (_request, response) => send(response, page, 'no-cache'));
};
