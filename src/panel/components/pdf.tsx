import {
  GlobalWorkerOptions,
  getDocument,
  type PDFDocumentProxy,
  type RenderTask,
  version,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import worker from 'pdfjs-dist/legacy/build/pdf.worker.min.mjs?url';
import { useEffect, useRef, useState } from 'react';
import { t } from '../words.ts';
import { Pages } from './data-table.tsx';
import { Skeleton } from './skeleton.tsx';

GlobalWorkerOptions.workerSrc = worker;

/** Decoders of scans and symbols of forms, where the build of the panel puts them. */
const FURTHER_FILES = `${import.meta.env.BASE_URL}assets/pdf-${version}/`;

/** A scanned A4 page of 600 dots per inch has 35 million; a picture far beyond could take all memory. */
const MAX_PIXELS = 50_000_000;

/** The longer side of a page as it is drawn, so that it stays sharp when somebody zooms in. */
const SIDE_PIXELS = 2_000;

/**
 * A PDF page by page on a canvas. Nothing of it becomes part of this document, and no script of it runs. A worker
 * decodes it, and ends with this part of the screen.
 */
export const Pdf = ({ file, name }: { readonly file: Blob; readonly name: string }) => {
  const [opened, setOpened] = useState<PDFDocumentProxy | 'broken' | null>(null);
  const [page, setPage] = useState(1);
  useEffect(() => {
    let isShown = true;
    const show = (found: PDFDocumentProxy | 'broken'): void => {
      if (isShown) setOpened(found);
    };
    const opening = file.arrayBuffer().then((data) =>
      getDocument({
        data,
        maxImageSize: MAX_PIXELS,
        // The policy allows no WebAssembly; the same decoders come as plain scripts.
        useWasm: false,
        wasmUrl: FURTHER_FILES,
        standardFontDataUrl: FURTHER_FILES,
        disableWorkerRendering: true,
        verbosity: 0,
      }),
    );
    opening.then(({ promise }) => promise).then(show, () => show('broken'));
    return () => {
      isShown = false;
      void opening.then((task) => task.destroy());
    };
  }, [file]);
  if (opened === null) return <Skeleton lines={6} />;
  if (opened === 'broken') return <Broken />;
  return (
    <>
      <Page key={page} pdf={opened} number={page} name={name} />
      <Pages page={page} pages={opened.numPages} onPage={setPage} />
    </>
  );
};

const Broken = () => (
  <p className="problem" role="alert">
    {t('This PDF cannot be shown here. Save it to read it.')}
  </p>
);

const Page = (props: { readonly pdf: PDFDocumentProxy; readonly number: number; readonly name: string }) => {
  const { pdf, number, name } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isBroken, setBroken] = useState(false);
  useEffect(() => {
    let isShown = true;
    let drawing: RenderTask | null = null;
    const draw = async (): Promise<void> => {
      const page = await pdf.getPage(number);
      if (!isShown || !canvas.current) return;
      const { width, height } = page.getViewport({ scale: 1 });
      const viewport = page.getViewport({ scale: SIDE_PIXELS / Math.max(width, height) });
      canvas.current.width = Math.ceil(viewport.width);
      canvas.current.height = Math.ceil(viewport.height);
      drawing = page.render({ canvas: canvas.current, viewport });
      await drawing.promise;
    };
    draw().catch(() => {
      if (isShown) setBroken(true);
    });
    return () => {
      isShown = false;
      drawing?.cancel();
    };
  }, [pdf, number]);
  if (isBroken) return <Broken />;
  const place = t('Page {page} of {pages}', { page: String(number), pages: String(pdf.numPages) });
  return <canvas ref={canvas} role="img" aria-label={`${name}, ${place}`} />;
};
