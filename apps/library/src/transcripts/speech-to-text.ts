import { openAsBlob } from 'node:fs';
import { fetch, FormData, type Response } from '@fanfare/runtime/http-client';
import type { Config } from '../config.ts';
import { MAX_TRANSCRIPT_CHARS } from './domain/check-transcript.ts';

export type SpeechToText = NonNullable<Config['speechToText']>;

/** The provider rejects the file; a retry would not help. */
export class SpeechRejected extends Error {
  override readonly name = 'SpeechRejected';
}

/** The limit of the provider: https://platform.openai.com/docs/guides/speech-to-text */
const MAX_SPEECH_BYTES = 25 * 1024 * 1024;
/** Enough for the longest transcript in any script. */
const MAX_TRANSCRIPT_BYTES = 4 * MAX_TRANSCRIPT_CHARS;
const RETRIED = new Set([408, 409, 425, 429]);

/**
 * Transcribes an MP3 by an OpenAI-compatible provider. Returns WebVTT.
 * @throws SpeechRejected; after any other error, a retry may succeed
 */
export async function speechToText(provider: SpeechToText, file: string, signal: AbortSignal): Promise<string> {
  const speech = await openAsBlob(file, { type: 'audio/mpeg' });
  if (speech.size > MAX_SPEECH_BYTES) throw new SpeechRejected('The audio is longer than the provider accepts.');
  const form = new FormData();
  form.set('model', provider.model);
  form.set('response_format', 'vtt');
  form.set('file', speech, 'speech.mp3');
  const response = await fetch(`${provider.url}/audio/transcriptions`, {
    method: 'POST',
    headers: provider.key === '' ? {} : { authorization: `Bearer ${provider.key}` },
    body: form,
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(provider.timeoutMs)]),
  });
  if (!response.ok) {
    await response.body?.cancel();
    const message = `The speech-to-text provider responded with status ${response.status}.`;
    throw response.status >= 500 || RETRIED.has(response.status) ? new Error(message) : new SpeechRejected(message);
  }
  const text = await readText(response);
  if (!text.startsWith('WEBVTT')) throw new SpeechRejected('The response of the speech-to-text provider is not WebVTT.');
  return text;
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_TRANSCRIPT_BYTES) throw tooLong();
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString('utf8');
  if (text.length > MAX_TRANSCRIPT_CHARS) throw tooLong();
  return text;
}

const tooLong = () => new SpeechRejected('The response of the speech-to-text provider is longer than a transcript may be.');
