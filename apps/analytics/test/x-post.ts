/** Creates a post on the sandbox's X, as the connector does. @returns the platform's id */
export async function createXPost(sandboxUrl: string, accessToken: string, text: string): Promise<string> {
  const response = await fetch(`${sandboxUrl}/api.x.com/2/tweets`, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });
  const { data } = (await response.json()) as { data?: { id: string } };
  if (!data) throw new Error(`X responded with ${response.status}.`);
  return data.id;
}
