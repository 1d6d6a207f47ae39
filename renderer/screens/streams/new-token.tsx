// Owns the second step of making a stream: its token, shown this once. Never keeps the secret.

import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { CopyButton, Marked } from '../../ui/parts.tsx';

/** The token of a stream that was just made; copied at once where the page may. */
export const NewToken = ({
  stream,
  secret,
  onDone,
}: {
  stream: string;
  secret: string;
  onDone: () => void;
}) => {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    navigator.clipboard.writeText(secret).then(
      () => setCopied(true),
      // A page that may not copy by itself: the button does.
      () => setCopied(false),
    );
  }, [secret]);
  return (
    <div className="new-stream">
      <p className="new-stream-words">
        <strong>{stream}</strong> is made. Every producer that sends to it needs this token from now
        on, as <span className="mono">Authorization: Bearer</span>.
      </p>
      <div className="new-stream-secret">
        <code>{secret}</code>
        <CopyButton text={secret} label="Copy the token" />
      </div>
      <p className="new-stream-words" role="status">
        {isCopied ? (
          <Marked mark="landed">Copied. It is shown this once and kept nowhere.</Marked>
        ) : (
          'Copy it now: it is shown this once and kept nowhere.'
        )}
      </p>
      <div className="new-stream-buttons">
        <Button onClick={onDone} data-autofocus>
          Open {stream}
        </Button>
      </div>
    </div>
  );
};
