import { Button } from '../../components/button.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { QrCode } from '../../components/qr-code.tsx';
import { t } from '../../words.ts';

/** Shows the address of a page for payers, to copy, to scan and to print. */
export const AddressDialog = (props: {
  readonly title: string;
  readonly url: string;
  readonly onClose: () => void;
}) => {
  const { title, url, onClose } = props;
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        <code>{url}</code> <CopyButton text={url} label={t('Copy')} />
      </p>
      <QrCode text={url} label={t('QR code of the address')} />
      <footer>
        <a href={url} target="_blank" rel="noreferrer">
          {t('Preview')}
        </a>
        <span className="space" />
        <Button label={t('Print')} onClick={() => print()} />
        <Button label={t('Done')} className="primary" onClick={onClose} />
      </footer>
    </Dialog>
  );
};
