// Buttons: one that stands out, one that does not, one for what cannot be undone, and a plain one for icons.
import type { ButtonHTMLAttributes } from 'react';
import style from './kit.module.css';

type Props = ButtonHTMLAttributes<HTMLButtonElement>;

export function Button({ look = 'usual', className = '', ...rest }: Props & { look?: 'usual' | 'primary' | 'danger' }) {
  const extra = look === 'usual' ? '' : style[look];
  return <button type="button" {...rest} className={`${style.button} ${extra} ${className}`} />;
}

export function PlainButton({ className = '', ...rest }: Props) {
  return <button type="button" {...rest} className={`${style.plain} ${className}`} />;
}
