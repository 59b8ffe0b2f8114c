/** Tests that a model's file arrives whole, with progress, and that another file or none is refused. */
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fetchModel, ModelError } from '../../web/src/models/fetch-model.ts';

const content = randomBytes(300_000);
const file = { bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };

let server: Server;
let address: string;
/** Sends the second half of `/slow`. */
let goOn: (() => void) | undefined;

beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/none') response.writeHead(404);
    if (request.url !== '/slow') return response.end(request.url === '/none' ? '' : content);
    response.write(content.subarray(0, 150_000));
    goOn = () => response.end(content.subarray(150_000));
    return response;
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test('a file arrives as it is, and says how much of it is there', async () => {
  const shares: number[] = [];
  const progress = (share: number): void => {
    shares.push(share);
    if (share === 0.5) goOn?.();
  };
  const made = await fetchModel(`${address}/slow`, file, { progress });
  expect(Buffer.from(made).equals(content)).toBe(true);
  expect(shares.at(-1)).toBe(1);
  expect(shares).toContain(0.5);
  expect([...shares].sort((a, b) => a - b)).toEqual(shares);
});

test('Stop ends it while it arrives, with the reason of the signal', async () => {
  const stop = new AbortController();
  const reason = new Error('stopped by a person');
  const progress = (): void => stop.abort(reason);
  const work = fetchModel(`${address}/slow`, file, { signal: stop.signal, progress });
  expect(await failure(work)).toBe(reason);
  expect(await failure(fetchModel(`${address}/file`, file, { signal: stop.signal }))).toBe(reason);
});

test('another file and none are told apart', async () => {
  const refusal = async (path: string, wanted = file) => {
    const error = await failure(fetchModel(address + path, wanted));
    expect(error).toBeInstanceOf(ModelError);
    return (error as ModelError).reason;
  };
  expect(await refusal('/none')).toBe('missing');
  expect(await refusal('/file', { ...file, bytes: file.bytes - 1 })).toBe('other');
  expect(await refusal('/file', { ...file, bytes: file.bytes + 1 })).toBe('other');
  expect(await refusal('/file', { ...file, sha256: '0'.repeat(64) })).toBe('other');
  const nobody = await failure(fetchModel('http://127.0.0.1:1/', file));
  expect((nobody as ModelError).reason).toBe('missing');
});
