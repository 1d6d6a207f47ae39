// Owns what pages and sites may not do: go elsewhere, open windows, ask for rights, reach the network.
// Never makes an exception but the one named: our own page may write text to the clipboard.

import { app, type Session, session, type WebContents, type WebFrameMain } from 'electron';
import { PAGE_ORIGIN } from './ipc.ts';

/** `clipboard.writeText` asks for this; copying a command or a cell needs it. */
const GRANTED = ['clipboard-sanitized-write'];
const OWN_ADDRESS = /^(app:\/\/strata\/|devtools:|data:|blob:app:\/\/strata\/)/;

/** Whether an address is one of our page's. */
const isOwnPage = (url: string): boolean => url.startsWith(`${PAGE_ORIGIN}/`);

/** Whether a message comes from the top frame of this page of ours. */
export const isOwnFrame = (frame: WebFrameMain | null, page: WebContents | undefined): boolean =>
  frame !== null &&
  page !== undefined &&
  !page.isDestroyed() &&
  frame.parent === null &&
  frame === page.mainFrame &&
  isOwnPage(frame.url);

/** Guards every page that will ever be made. Before the first one. */
export const guardPages = (): void => {
  app.on('web-contents-created', (_, contents) => {
    const stay = (event: { preventDefault(): void; url: string }): void => {
      if (!isOwnPage(event.url)) event.preventDefault();
    };
    contents.on('will-navigate', stay);
    contents.on('will-frame-navigate', stay);
    contents.on('will-redirect', stay);
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
  app.on('certificate-error', (event, _contents, _url, _error, _certificate, answer) => {
    event.preventDefault();
    answer(false);
  });
  app.on('select-client-certificate', (event, _contents, _url, _list, answer) => {
    event.preventDefault();
    answer();
  });
  app.on('login', (event) => event.preventDefault());
};

/** Guards what pages of the default session may ask for and load. Once, when the app is ready. */
export const guardSession = (guarded: Session = session.defaultSession): void => {
  guarded.setPermissionRequestHandler((_contents, permission, answer, { requestingUrl }) =>
    answer(GRANTED.includes(permission) && isOwnPage(requestingUrl)),
  );
  guarded.setPermissionCheckHandler(
    (_contents, permission, origin) =>
      GRANTED.includes(permission) && isOwnPage(`${origin.replace(/\/$/, '')}/`),
  );
  guarded.setDevicePermissionHandler(() => false);
  guarded.webRequest.onBeforeRequest(({ url }, answer) =>
    answer({ cancel: !OWN_ADDRESS.test(url) }),
  );
  guarded.on('will-download', (event, item) => {
    if (!item.getURL().startsWith('blob:app://strata/')) event.preventDefault();
  });
};
