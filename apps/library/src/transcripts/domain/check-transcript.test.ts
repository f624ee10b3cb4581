import { checkTranscript, MAX_TRANSCRIPT_CHARS } from './check-transcript.ts';

const VTT = `WEBVTT - Talk

NOTE made by hand

1
00:01.000 --> 00:04.000 align:start
<v Ada>Good morning.
Two lines.

00:00:05.000 --> 00:00:06.500
Bread!
`;
const SRT = `1
00:00:01,000 --> 00:00:04,000
Good morning.
Two lines.

2
00:00:05,000 --> 00:00:06,500
Bread!
`;

test.each([
  ['nothing', ''],
  ['plain text', 'Good morning.\n\nIn those days --> something.'],
  ['text that begins with a number', '3\npigs went out'],
  ['text about WebVTT', 'WEBVTTs are files'],
  ['WebVTT', VTT],
  ['WebVTT with a byte order mark and CRLF', `\uFEFF${VTT.replaceAll('\n', '\r\n')}`],
  ['WebVTT without a cue', 'WEBVTT'],
  ['WebVTT with a cue that ends as it starts', VTT.replace('00:04.000', '00:01.000')],
  ['WebVTT with a cue from minutes to hours', VTT.replace('00:04.000', '01:00:00.000')],
  ['SRT', SRT],
  ['SRT with a cue in tenths', SRT.replace('01,000 --> 00:00:04,000', '01,05 --> 00:00:01,1')],
  ['SRT with CRLF, blank lines in front and no line at its end', `\r\n${SRT.trimEnd().replaceAll('\n', '\r\n')}`],
])('%s is a transcript', (_what, transcript) => {
  expect(() => checkTranscript(transcript)).not.toThrow();
});

test.each([
  ['WebVTT with no blank line after its header', 'WEBVTT\n00:01.000 --> 00:04.000\nx', /header/],
  ['WebVTT with a comma', VTT.replace('00:04.000', '00:04,000'), /WebVTT.*line 5/],
  ['WebVTT with a cue without a timing', `${VTT}\nlost`, /line 13/],
  ['WebVTT with a minute of 75 seconds', VTT.replace('00:01.000', '00:75.000'), /line 5/],
  ['WebVTT with a cue that ends before it starts', VTT.replace('00:04.000', '00:00.999'), /line 6 .*ends before/],
  ['WebVTT with such a cue of hours, without an identifier', VTT.replace('00:00:05.000', '01:00:05.000'), /line 10 .*ends before/],
  ['SRT with a cue that ends before it starts', SRT.replace('00:00:06,500', '00:00:04,500'), /line 7 .*ends before/],
  ['SRT with a cue that has no end', SRT.replace('00:00:06,500', ''), /SRT.*line 6/],
  ['SRT with a cue without a number', SRT.replace('\n2\n', '\n'), /line 6/],
  ['a text that is too long', 'x'.repeat(MAX_TRANSCRIPT_CHARS + 1), /100000/],
])('%s is rejected', (_what, transcript, detail) => {
  const rejection = { code: 'invalid_value', param: 'transcript', detail: expect.stringMatching(detail) as string };
  expect(() => checkTranscript(transcript)).toThrow(expect.objectContaining(rejection) as Error);
});
