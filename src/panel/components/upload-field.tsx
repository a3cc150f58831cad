import { t } from '../words.ts';
import { FileField } from './field.tsx';

/** A chosen file as the API takes it in JSON. */
type UploadedFile = { readonly fileName: string; readonly content: string };

/** The bytes of a file in Base64, as the API takes them in JSON. */
const contentOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

/** The file of a form: none yet, one that is being read, or one to be sent. */
export type Chosen = UploadedFile | 'reading' | null;

/** Endings of documents. */
const DOCUMENTS = '.pdf,.png,.jpg,.jpeg';

/** A file from the reader's disk. */
export const UploadField = ({
  onChosen,
  accept = DOCUMENTS,
}: {
  readonly onChosen: (chosen: Chosen) => void;
  readonly accept?: string;
}) => (
  <FileField
    label={t('File')}
    name="content"
    accept={accept}
    onFile={async (file) => {
      onChosen('reading');
      try {
        onChosen({ fileName: file.name, content: await contentOf(file) });
      } catch (error) {
        onChosen(null);
        throw error;
      }
    }}
  />
);

/** Members of the body that a chosen file fills. */
export const bodyOf = (chosen: Chosen): UploadedFile =>
  chosen === null || chosen === 'reading' ? { fileName: '', content: '' } : chosen;
