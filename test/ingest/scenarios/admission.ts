// Scenarios of who may speak to the listener: Host, Origin, methods.

import type { Scenario } from '../../helpers/scenario.ts';

const ownName = (host: string): Scenario => ({
  name: `own name: ${host}`,
  headers: { host },
  status: 200,
  rows: 1,
});

const strangeName = (host: string): Scenario => ({
  name: `strange name: ${host}`,
  headers: { host },
  status: 403,
  code: 'forbidden_host',
  forbidden: ['reject_id', host],
});

const fromPage = (origin: string, method = 'POST'): Scenario => ({
  name: `from a page: ${method} with Origin ${origin}`,
  method,
  headers: { origin },
  status: 403,
  code: 'forbidden_origin',
  forbidden: ['reject_id'],
});

const healthCheck = (method: string, path?: string): Scenario => ({
  name: `health check: ${method} ${path ?? 'of a stream'}`,
  method,
  ...(path === undefined ? {} : { path }),
  headers: { 'content-type': '' },
  status: 200,
  expectedHeaders: { 'content-type': 'text/plain; charset=utf-8' },
});

const otherMethod = (method: string, allow: string, path?: string): Scenario => ({
  name: `not a method of ${path ?? 'a stream'}: ${method}`,
  method,
  ...(path === undefined ? {} : { path }),
  status: 405,
  code: 'method_not_allowed',
  expectedHeaders: { allow },
  forbidden: ['reject_id'],
});

const STREAM_METHODS = 'POST, GET, HEAD';

export const ADMISSION: readonly Scenario[] = [
  ownName('localhost'),
  ownName('localhost:1'),
  ownName('LocalHost:65535'),
  ownName('127.0.0.1'),
  ownName('127.0.0.1:80'),
  ownName('[::1]'),
  ownName('[::1]:7423'),
  strangeName('evil.example'),
  strangeName('evil.example:7423'),
  strangeName('localhost.evil.example'),
  strangeName('127.0.0.1.evil.example'),
  strangeName('127.0.0.2'),
  strangeName('0.0.0.0'),
  strangeName('[::2]'),
  strangeName('::1'),
  strangeName('localhost:7423:1'),
  strangeName('localhost:port'),
  strangeName('user@localhost'),
  strangeName('localhost.'),
  {
    name: 'no Host at all',
    headers: { host: '' },
    status: 400,
    code: 'not_http',
    expected: ['Host'],
  },
  fromPage('https://example.com'),
  fromPage('http://localhost'),
  fromPage('http://127.0.0.1:7423'),
  fromPage('null'),
  fromPage('https://example.com', 'GET'),
  fromPage('https://example.com', 'OPTIONS'),
  healthCheck('HEAD', '/'),
  healthCheck('GET', '/'),
  healthCheck('GET', '/?probe=1'),
  healthCheck('HEAD', '/health'),
  healthCheck('GET', '/healthz'),
  healthCheck('HEAD'),
  healthCheck('GET'),
  otherMethod('PUT', STREAM_METHODS),
  otherMethod('PATCH', STREAM_METHODS),
  otherMethod('DELETE', STREAM_METHODS),
  otherMethod('OPTIONS', STREAM_METHODS),
  otherMethod('POST', 'GET, HEAD', '/'),
  otherMethod('PUT', 'GET, HEAD', '/health'),
];
