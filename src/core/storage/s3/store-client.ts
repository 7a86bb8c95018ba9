/** The client of the AWS SDK for one endpoint of a store, which tells what arrives of each answer. */
import { pipeline, Readable, Transform } from 'node:stream';
import type { S3Client } from '@aws-sdk/client-s3';
import type { StoreAccess } from '../storage.ts';
import { observeClient } from './observed-client.ts';
import { progressOf, type RequestProgress } from './request-progress.ts';

/** Connections to one endpoint for one bucket. */
const maxSockets = 64;

/** A connection takes no longer, in ms. */
const connectionTimeout = 2000;

const none = (): void => undefined;

/** A body that tells its progress. */
function observed(body: Readable, progress: RequestProgress): Readable {
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      progress.add(chunk.length);
      done(null, chunk);
    },
  });
  // Who reads the body meets its errors.
  return pipeline(body, through, none);
}

export async function openClient(access: StoreAccess): Promise<S3Client> {
  // The SDK would print on standard error that its later versions need a newer Node.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const { S3Client } = await import('@aws-sdk/client-s3');
  const { endpoint, pathStyle, credentials, region = endpoint === undefined ? undefined : 'us-east-1' } = access;
  const client = new S3Client({
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(credentials && { credentials }),
    forcePathStyle: pathStyle,
    // AWS alone has them.
    followRegionRedirects: endpoint === undefined,
    maxAttempts: 1,
    // It would write to the console.
    logger: { trace: none, debug: none, info: none, warn: none, error: none },
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout, httpAgent: { maxSockets }, httpsAgent: { maxSockets } },
  });
  const { requestHandler } = client.config;
  const handle = requestHandler.handle.bind(requestHandler);
  requestHandler.handle = async (request, options = {}) => {
    const { response } = await handle(request, options);
    const progress = 'abortSignal' in options ? progressOf(options.abortSignal) : undefined;
    if (progress && response.body instanceof Readable) response.body = observed(response.body, progress);
    return { response };
  };
  if (access.observer !== undefined) observeClient(client);
  return client;
}
