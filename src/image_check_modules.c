#include "image_check_modules.h"

void ep_image_check_modules(struct ep_image_claims *claims)
{
    ep_ref *link = &ep_image_tree(claims->image)->modules;
    while (ep_image_claim(claims, link, 1, EP_USE_MODULE)) {
        struct ep_module_cell *module = &ep_image_cell(claims->image, *link)->module;
        if (module->build_id_bytes > EP_BUILD_ID_BYTES)
            ep_image_claim_fault(claims, "damaged: a build-id that is too long");
        link = &module->next;
    }
}

static bool is_module(const struct ep_image_claims *claims, ep_ref ref)
{
    return ref < claims->count && claims->use[ref] == EP_USE_MODULE;
}

bool ep_image_check_function(struct ep_image_claims *claims, const struct ep_site_cell *site)
{
    if (!site->module)
        return true;
    if (site->naming > EP_NAMING_WHOLE)
        ep_image_claim_fault(claims, "damaged: a function named in a way that there is not");
    if (is_module(claims, site->module))
        return true;
    if (!ep_image_claim_may_lack(claims))
        ep_image_claim_fault(claims, "damaged: a function in no module");
    return false;
}
