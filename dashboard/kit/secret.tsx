// A secret that is shown once and never again.
import { TriangleAlert } from 'lucide-react';
import { words } from '../strings/language';
import { Button } from './button';
import { Code } from './code';
import style from './kit.module.css';
import { Dialog } from './overlays';

interface Props {
  title: string;
  secrets: readonly (readonly [name: string, secret: string | null | undefined])[];
  onClose(): void;
}

/** Neither Esc nor a press beside it takes away what cannot be read again. */
export function SecretOnce({ title, secrets, onClose }: Props) {
  return (
    <Dialog title={title} onClose={null}>
      <div className={style.dialogBody}>
        <p className={style.note} data-tone="warn">
          <span>
            <TriangleAlert size={14} aria-hidden /> {words().once}
          </span>
        </p>
        {secrets.map(([name, secret]) => (secret ? <Code key={name} label={name} text={secret} /> : null))}
        <div className={style.dialogFoot}>
          <Button look="primary" onClick={onClose}>
            {words().kept}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
