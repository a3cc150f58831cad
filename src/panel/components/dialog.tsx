import { type ReactNode, useEffect, useId, useRef } from 'react';
import { t } from '../words.ts';

/** A native modal dialog, shown while it is rendered. Without `onClose` it cannot be closed. */
export const Dialog = (props: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly isWide?: boolean;
  readonly onClose?: () => void;
  readonly children: ReactNode;
}) => {
  const { title, isOpen, isWide = false, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (isOpen && element && !element.open) {
      element.showModal();
      // The first thing to do is to type, not to close.
      element.querySelector<HTMLElement>('form :is(input, select, textarea)')?.focus();
    }
    if (!isOpen) element?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={dialog}
      className={isWide ? 'wide' : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
    >
      <header>
        <h2 id={id}>{title}</h2>
        {onClose && (
          <button type="button" className="quiet" aria-label={t('Close')} onClick={onClose}>
            ✕
          </button>
        )}
      </header>
      {isOpen && children}
    </dialog>
  );
};
