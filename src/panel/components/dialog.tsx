import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { t } from '../words.ts';

/** A native modal dialog, shown while it is rendered. Without `onClose` it cannot be closed. */
export const Dialog = (props: {
  readonly title: string;
  readonly isWide?: boolean;
  readonly onClose?: () => void;
  readonly children: ReactNode;
}) => {
  const { title, isWide = false, onClose, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    element.showModal();
    // The first thing to do is to type, not to close.
    element.querySelector<HTMLElement>('form :is(input, select, textarea)')?.focus();
    return () => {
      // An element that goes while it is open takes the focus with it; one that closes gives it back.
      element.close();
      const isLost = document.activeElement === document.body;
      if (isLost) document.getElementById('main')?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={isWide ? 'wide' : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      onClose={({ currentTarget: element }) => {
        // A second Escape closes a dialog without asking.
        if (!element.isConnected || element.open) return;
        if (onClose) onClose();
        else element.showModal();
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
      {children}
    </dialog>
  );
};
