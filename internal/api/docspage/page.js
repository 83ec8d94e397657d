"use strict";
window.ui = SwaggerUIBundle({
  url: "/api/docs/openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  presets: [SwaggerUIBundle.presets.apis],
  layout: "BaseLayout",
  showExtensions: true,
  showCommonExtensions: true,
  validatorUrl: null,
  defaultModelsExpandDepth: -1,
});
