import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useState } from 'react';
import { type Call, download } from '../api.ts';
import { ShownCall } from '../shown-calls.tsx';
import { t } from '../words.ts';
import { Button } from './button.tsx';
import { save } from './csv-button.tsx';
import { Loaded } from './loaded.tsx';
import { Skeleton } from './skeleton.tsx';

// The part that draws a PDF is larger than all the rest of the panel.
const Pdf = lazy(async () => ({ default: (await import('./pdf.tsx')).Pdf }));

/** A document beside what it belongs to; `read` downloads it. */
export const DocumentPreview = (props: {
  readonly document: { readonly id: string; readonly fileName: string; readonly contentType: string };
  readonly read: Call;
  readonly onClose: () => void;
}) => {
  const { document, read, onClose } = props;
  const { id, fileName, contentType } = document;
  const content = useQuery({ queryKey: ['document', id], queryFn: () => download(read, '*/*') });
  return (
    <aside aria-label={fileName}>
      <div className="toolbar">
        <h2>{fileName}</h2>
        <span className="space" />
        <ShownCall call={read} />
        {content.data && <Button label={t('Save')} onClick={() => save(content.data, fileName)} />}
        <Button label={t('Close')} className="quiet" onClick={onClose} />
      </div>
      <Loaded of={content} lines={6}>
        {(file) =>
          contentType.startsWith('image/') ? (
            <Picture file={file} name={fileName} />
          ) : (
            <Suspense fallback={<Skeleton lines={6} />}>
              <Pdf file={file} name={fileName} />
            </Suspense>
          )
        }
      </Loaded>
    </aside>
  );
};

const Picture = ({ file, name }: { readonly file: Blob; readonly name: string }) => {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url && <img src={url} alt={name} />;
};
