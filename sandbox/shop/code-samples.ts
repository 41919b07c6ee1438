// What a shop has to write to take a card in its own page, in three languages and in the browser; shown beside the demo shop.

export interface CodeSample {
  title: string;
  code: string;
}

export const codeSamples: readonly CodeSample[] = [
  {
    title: 'Browser',
    code: `<script src="{pay}/sdk.js" integrity="{sriHash}"
        crossorigin="anonymous"></script>
<div id="number"></div> <div id="expiry"></div>
<div id="code"></div> <div id="name"></div>
<button id="pay">Pay</button>
<script type="module">
  PaymentFields.mount({
    fieldSet,                       // from your server
    merchantOrigin: location.origin,
    containers: {
      CARD_NUMBER: '#number', EXPIRATION_DATE: '#expiry',
      SECURITY_CODE: '#code', CARDHOLDER_NAME: '#name',
    },
    onEvent: ({ type, state }) => {
      if (type === 'state') pay.disabled = state !== 'READY_FOR_PAYMENT';
    },
  });
</script>`,
  },
  {
    title: 'Server, JavaScript',
    code: `const headers = {
  'X-API-KEY': apiKey,
  'Correlation-Id': crypto.randomUUID(),
  'Content-Type': 'application/json',
};
const built = await fetch(rest + '/api/v1/orders/build', {
  method: 'POST', headers,
  body: JSON.stringify({
    merchantUrl: 'https://shop.example',
    order: { orderId: 'A-1', amount: '4250', currency: 'EUR' },
    paymentSession: { actionType: 'PAY', paymentService: 'CARDS' },
  }),
});
// keep securityToken, hand the rest to the page`,
  },
  {
    title: 'Server, Python',
    code: `headers = {"X-API-KEY": api_key,
           "Correlation-Id": str(uuid.uuid4())}
done = requests.post(
    f"{rest}/api/v1/build/finalize_payment",
    headers=headers, json={"sessionId": session_id}).json()
if done["state"] == "REDIRECTED_TO_EXTERNAL_DOMAIN":
    return redirect(done["url"])
result = done["operation"]["operationResult"]`,
  },
  {
    title: 'Shell',
    code: `curl -s "$REST/api/v1/build/state?sessionId=$SESSION" \\
  -H "X-API-KEY: $API_KEY" \\
  -H "Correlation-Id: $(uuidgen)"`,
  },
];
