# packages.mk: Debian packages, and what they are checked with
# SPDX-License-Identifier: GPL-3.0-or-later

#   make deb          builds them in a copy of the tree (make dev-deps installs what that needs), and asks lintian
#   make deb-check    installs them in a clean root (mmdebstrap; else unpacks them), and runs the README's commands there
.PHONY: deb deb-check
deb:
	@rm -rf $(BUILD)/deb && mkdir -p $(BUILD)/deb/ifbam-$(VERSION)
	@tar --exclude=./build --exclude='./$(BUILD)' --exclude=./.git -c . | tar -x -C $(BUILD)/deb/ifbam-$(VERSION)
	cd $(BUILD)/deb/ifbam-$(VERSION) && env -u MAKEFLAGS -u MFLAGS -u BUILD DEB_BUILD_OPTIONS="parallel=$$(nproc) nocheck" \
	  dpkg-buildpackage -us -uc -b
	cd $(BUILD)/deb && lintian --fail-on error --tag-display-limit 0 *.changes

deb-check:
	@test -n "$(wildcard $(BUILD)/deb/*.deb)" || $(MAKE) --no-print-directory deb
	tests/deb-check $(BUILD)/deb
