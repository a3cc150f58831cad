import { useState } from 'react';
import { t } from '../words.ts';
import { FileField } from './field.tsx';
import { Skeleton } from './parts.tsx';

/** A chosen file as the API takes it in JSON. */
export type UploadedFile = { readonly fileName: string; readonly content: string };

/** The bytes of a file in Base64, as the API takes them in JSON. */
const contentOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

/** A document from the reader's disk; null while it is read. */
export const UploadField = ({ onFile }: { readonly onFile: (file: UploadedFile | null) => void }) => {
  const [isReading, setReading] = useState(false);
  return (
    <>
      <FileField
        label={t('File')}
        name="content"
        accept=".pdf,.png,.jpg,.jpeg"
        onFile={async (chosen) => {
          onFile(null);
          setReading(true);
          try {
            onFile({ fileName: chosen.name, content: await contentOf(chosen) });
          } finally {
            setReading(false);
          }
        }}
      />
      {isReading && <Skeleton lines={1} />}
    </>
  );
};
