import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { t } from '../words.ts';
import { Button } from './button.tsx';

type Props = {
  readonly title: string;
  readonly isWide?: boolean;
  readonly onClose?: () => void;
  /** Whether it asks before it closes once something was typed into it. */
  readonly asksFirst?: boolean;
  readonly children: ReactNode;
};

const Leave = createContext<() => void>(() => undefined);

/** Closes the dialog around; first it asks where something was typed. */
const useLeave = (): (() => void) => useContext(Leave);

/** Gives a command up. */
export const CancelButton = (props: { readonly disabled?: boolean }) => (
  <Button label={t('Cancel')} disabled={props.disabled} onClick={useLeave()} />
);

/** A native modal dialog, shown while it is rendered. Without `onClose` it cannot be closed. */
export const Dialog = (props: Props) => {
  const { title, isWide = false, onClose, asksFirst = false, children } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [hasInput, setInput] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const isTyped = asksFirst && hasInput;
  useModal(dialog);
  useReloadWarning(isTyped);
  const leave = (): void => (isTyped ? setAsking(true) : onClose?.());
  return (
    <>
      <dialog
        ref={dialog}
        className={isWide ? 'wide' : undefined}
        aria-labelledby={id}
        onInput={() => setInput(true)}
        onCancel={(event) => {
          // The choice of a file that is given up cancels only itself.
          if (event.target !== event.currentTarget) return;
          event.preventDefault();
          leave();
        }}
        onClose={({ currentTarget: element }) => {
          // A second Escape closes a dialog without asking.
          if (!element.isConnected || element.open) return;
          if (!onClose || isTyped) element.showModal();
          if (onClose) leave();
        }}
      >
        <header>
          <h2 id={id}>{title}</h2>
          {onClose && (
            <button type="button" className="quiet" aria-label={t('Close')} onClick={leave}>
              ✕
            </button>
          )}
        </header>
        <Leave value={leave}>{children}</Leave>
      </dialog>
      {isAsking && onClose && <AskToLeave onStay={() => setAsking(false)} onLeave={onClose} />}
    </>
  );
};

/** Opens a dialog above everything else, and gives the focus back afterwards. */
const useModal = (dialog: { readonly current: HTMLDialogElement | null }): void =>
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    element.showModal();
    // The first thing to do is to type, not to close.
    element.querySelector<HTMLElement>('form :is(input, select, textarea), [data-first]')?.focus();
    return () => {
      // An element that goes while it is open takes the focus with it; one that closes gives it back.
      element.close();
      const isLost = document.activeElement === document.body;
      if (isLost) document.getElementById('main')?.focus({ preventScroll: true });
    };
  }, [dialog]);

/** The browser asks by itself before it loads another page. */
const useReloadWarning = (isTyped: boolean): void =>
  useEffect(() => {
    if (!isTyped) return;
    const warn = (event: Event): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isTyped]);

const AskToLeave = (props: { readonly onStay: () => void; readonly onLeave: () => void }) => (
  <Dialog title={t('Throw away what you typed?')} onClose={props.onStay}>
    <p>{t('It is kept nowhere else.')}</p>
    <footer>
      <span className="space" />
      <Button label={t('Throw away')} className="destructive" onClick={props.onLeave} />
      <Button label={t('Keep it')} className="primary" data-first onClick={props.onStay} />
    </footer>
  </Dialog>
);
