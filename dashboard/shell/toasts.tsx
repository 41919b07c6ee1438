// Short messages that pass by themselves: what was done, or why it was not.
import { CircleCheck, TriangleAlert } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { Button } from '../kit/button';
import { words } from '../strings/language';
import style from './shell.module.css';

interface Toast {
  id: number;
  tone: 'good' | 'bad';
  text: string;
  undo: (() => void) | undefined;
}

/** `undo`: takes back what was told of, as long as it is shown. */
type Tell = (text: string, tone?: Toast['tone'], undo?: () => void) => void;
/** What can be taken back is shown for longer: it has to be read, reached and pressed. */
const shownMs = { told: 6_000, undone: 20_000 };
const ToastContext = createContext<Tell>(() => undefined);

export const useToast = (): Tell => useContext(ToastContext);

export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const last = useRef(0);
  const tell = useCallback<Tell>((text, tone = 'good', undo = undefined) => {
    last.current += 1;
    const id = last.current;
    setToasts((before) => [...before.slice(-3), { id, tone, text, undo }]);
    const forMs = undo ? shownMs.undone : shownMs.told;
    setTimeout(() => setToasts((before) => before.filter((toast) => toast.id !== id)), forMs);
  }, []);
  return (
    <ToastContext value={tell}>
      {children}
      <div className={style.toasts} role="status" aria-live="polite">
        {toasts.map(({ id, tone, text, undo }) => (
          <div key={id} className={style.toast} data-tone={tone}>
            {tone === 'good' ? <CircleCheck size={17} aria-hidden /> : <TriangleAlert size={17} aria-hidden />}
            <span>{text}</span>
            {undo ? (
              <Button
                onClick={() => {
                  setToasts((before) => before.filter((toast) => toast.id !== id));
                  undo();
                }}
              >
                {words().undo}
              </Button>
            ) : null}
          </div>
        ))}
      </div>
    </ToastContext>
  );
}
